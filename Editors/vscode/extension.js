// The client of `flow lsp` and `flow debug --dap`, the commands of the lenses, and the tests.
'use strict';

const path = require('node:path');
const vscode = require('vscode');
const {LanguageClient} = require('vscode-languageclient/node');
const {testExplorer} = require('./explorer.js');

/** The client, or undefined before the first start and after the last end. */
let client;

/** The program of the settings, as the user or a trusted folder has set it. */
function program() {
  return vscode.workspace.getConfiguration('flow').get('path') || 'flow';
}

async function activate(context) {
  for (const [name, action] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, action));
  }
  const explorer = testExplorer(vscode, program);
  context.subscriptions.push(
    explorer,
    vscode.debug.registerDebugAdapterDescriptorFactory('flow', {
      createDebugAdapterDescriptor: () =>
        new vscode.DebugAdapterExecutable(program(), ['debug', '--dap']),
    }),
    vscode.debug.registerDebugConfigurationProvider('flow', {resolveDebugConfiguration}),
    vscode.debug.registerDebugAdapterTrackerFactory('flow', {createDebugAdapterTracker}),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration('flow.path')) return undefined;
      explorer.refresh();
      return restart();
    }));
  await start();
}

async function deactivate() {
  await client?.stop();
  client = undefined;
}

// The server says nothing of YAML files that are neither scenarios nor projects.
async function start() {
  client = new LanguageClient(
    'flow', 'flow', {command: program(), args: ['lsp']}, {
      documentSelector: [
        {scheme: 'file', language: 'flow'},
        {scheme: 'file', language: 'yaml'},
        {scheme: 'untitled', language: 'flow'},
      ],
    });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(
      `'${program()} lsp' does not start: ${error.message}. Set 'flow.path' to the program.`);
  }
}

async function restart() {
  await deactivate();
  await start();
}

// MARK: - Commands

/**
 * The commands of the lenses and of the palette. A lens passes `{uri, path, step}`; without it, the
 * scenario is that of the active editor.
 */
const commands = {
  'flow.run': (target) => runInTerminal('run', target, (file) => ['run', file]),
  'flow.record': (target) => runInTerminal('record', target, (file) => ['run', file, '--record']),
  'flow.replay': (target) =>
    runInTerminal('replay', target, (file) => ['replay', transcript(file)]),
  'flow.debug': (target) => debug(target, {stopOnEntry: false}),
  'flow.runStep': (target) => {
    if (target?.step) return debug(target, {stopOnEntry: false, goLiveAt: target.step});
  },
  'flow.restart': restart,
};

/** The saved file of a target or of the active editor, or undefined after a message. */
async function savedFile(target) {
  const uri =
    target?.uri ? vscode.Uri.parse(target.uri) : vscode.window.activeTextEditor?.document.uri;
  if (uri?.scheme !== 'file') {
    vscode.window.showErrorMessage('flow runs scenarios in files; save this one first.');
    return undefined;
  }
  const document = vscode.workspace.textDocuments.find(
    (one) => one.uri.toString() === uri.toString());
  if (document?.isDirty && !await document.save()) return undefined;
  return uri;
}

/** The place of a scenario's transcript. */
function transcript(file) {
  return file.replace(/\.(ya?ml|json)$/, '') + '.transcript.jsonl';
}

/** Runs `flow` as a task, whose arguments no shell reads. */
async function runInTerminal(name, target, toArguments) {
  const uri = await savedFile(target);
  if (!uri) return;
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const task = new vscode.Task(
    {type: 'flow', command: name}, folder ?? vscode.TaskScope.Workspace,
    `${name} ${path.basename(uri.fsPath)}`, 'flow',
    new vscode.ProcessExecution(program(), toArguments(uri.fsPath), {
      cwd: folder?.uri.fsPath ?? path.dirname(uri.fsPath),
    }));
  task.presentationOptions = {clear: true, focus: false};
  await vscode.tasks.executeTask(task);
}

// MARK: - Debugging

async function debug(target, options) {
  const uri = await savedFile(target);
  if (!uri) return;
  await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(uri), {
    type: 'flow', request: 'launch', name: path.basename(uri.fsPath), program: uri.fsPath,
    ...options,
  });
}

/** Debugs the active file if there is no configuration. */
function resolveDebugConfiguration(folder, configuration) {
  if (configuration.type || configuration.request || configuration.name) return configuration;
  const document = vscode.window.activeTextEditor?.document;
  if (!document || !['flow', 'yaml'].includes(document.languageId)) return undefined;
  return {
    type: 'flow', request: 'launch', name: path.basename(document.fileName),
    program: document.fileName,
  };
}

/**
 * Stops a session of `flow.runStep` at its step, and goes on live from there: earlier steps are
 * served, and this one runs.
 */
function createDebugAdapterTracker(session) {
  const step = session.configuration.goLiveAt;
  if (!step) return undefined;
  const breakpoint = new vscode.FunctionBreakpoint(step);
  let isLive = false;
  return {
    onWillStartSession: () => vscode.debug.addBreakpoints([breakpoint]),
    onDidSendMessage: (message) => {
      if (isLive || message.type !== 'event' || message.event !== 'stopped') return;
      if (message.body?.reason !== 'function breakpoint' && message.body?.reason !== 'breakpoint') {
        return;
      }
      isLive = true;
      vscode.debug.removeBreakpoints([breakpoint]);
      session.customRequest('continueLive').then(
        () => session.customRequest('next', {threadId: message.body.threadId}),
        (error) => vscode.window.showErrorMessage(`The step does not run: ${error.message}`));
    },
    onWillStopSession: () => vscode.debug.removeBreakpoints([breakpoint]),
  };
}

module.exports = {activate, deactivate};
