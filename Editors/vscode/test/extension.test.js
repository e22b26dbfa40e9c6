// The extension on stand-ins for the editor and for the client library, run by `node --test`.
'use strict';

const assert = require('node:assert');
const Module = require('node:module');
const test = require('node:test');

/** A stand-in for the editor, which notes what it is asked to do. */
function editor(settings = {}) {
  const notes = [];
  const registered = {commands: {}, factories: {}};
  const keep = (name) => (_, factory) => { registered.factories[name] = factory; };
  const names = (all) => all.map((one) => one.name);
  const uri = (text) => ({
    scheme: text.split(':')[0], fsPath: text.replace('file://', ''), toString: () => text,
  });
  return {
    notes, registered, uri,
    Uri: {parse: uri},
    DebugAdapterExecutable: class { constructor(...all) { this.all = all; } },
    FunctionBreakpoint: class { constructor(name) { this.name = name; } },
    ProcessExecution: class { constructor(...all) { this.all = all; } },
    Task: class { constructor(...all) { this.all = all; } },
    TaskScope: {Workspace: 2},
    commands: {registerCommand: (name, action) => { registered.commands[name] = action; }},
    debug: {
      registerDebugAdapterDescriptorFactory: keep('adapter'),
      registerDebugConfigurationProvider: keep('configuration'),
      registerDebugAdapterTrackerFactory: keep('tracker'),
      startDebugging: async (folder, configuration) => notes.push(['debug', configuration]),
      addBreakpoints: (all) => notes.push(['add', names(all)]),
      removeBreakpoints: (all) => notes.push(['remove', names(all)]),
    },
    TestRunProfileKind: {Run: 1, Debug: 2},
    tests: {
      createTestController: (name) => {
        registered.profiles = [];
        const createRunProfile = (label) => registered.profiles.push(`${name}: ${label}`);
        return {items: {replace: () => {}}, createRunProfile};
      },
    },
    tasks: {executeTask: async (task) => notes.push(['task', task.all[2], ...task.all[4].all])},
    window: {showErrorMessage: (text) => notes.push(['error', text])},
    workspace: {
      textDocuments: [],
      getConfiguration: () => ({get: (name) => settings[name]}),
      getWorkspaceFolder: () => ({uri: uri('file:///shop')}),
      onDidChangeConfiguration: () => {},
      createFileSystemWatcher: () => ({
        onDidCreate: () => {}, onDidChange: () => {}, onDidDelete: () => {},
      }),
      onDidChangeWorkspaceFolders: () => {},
    },
  };
}

/** Loads the extension anew, on this editor. */
async function started(vscode, startProblem) {
  class LanguageClient {
    constructor(...all) { this.all = all; }
    async start() {
      vscode.notes.push(['start', this.all[2], this.all[3].documentSelector]);
      if (startProblem) throw new Error(startProblem);
    }
    async stop() { vscode.notes.push(['stop']); }
  }
  const stands = {vscode, 'vscode-languageclient/node': {LanguageClient}};
  const load = Module._load;
  Module._load = (name, ...rest) => stands[name] ?? load(name, ...rest);
  delete require.cache[require.resolve('../extension.js')];
  try {
    const extension = require('../extension.js');
    await extension.activate({subscriptions: []});
    return extension;
  } finally {
    Module._load = load;
  }
}

const target = {uri: 'file:///shop/a.yaml', path: '/shop/a.yaml'};

test('the server is the program of the settings', async () => {
  const vscode = editor({path: '/opt/flow'});
  const extension = await started(vscode);
  await extension.deactivate();

  assert.deepStrictEqual(vscode.notes, [
    ['start', {command: '/opt/flow', args: ['lsp']}, [
      {scheme: 'file', language: 'flow'}, {scheme: 'file', language: 'yaml'},
      {scheme: 'untitled', language: 'flow'},
    ]],
    ['stop'],
  ]);
});

test('a server that does not start is explained', async () => {
  const vscode = editor();
  await started(vscode, 'spawn flow ENOENT');

  assert.deepStrictEqual(vscode.notes[1], [
    'error', "'flow lsp' does not start: spawn flow ENOENT. Set 'flow.path' to the program.",
  ]);
});

test('every command of the manifest is registered', async () => {
  const vscode = editor();
  await started(vscode);

  assert.deepStrictEqual(
    Object.keys(vscode.registered.commands),
    require('../package.json').contributes.commands.map((one) => one.command));
});

test('the Test Explorer runs and debugs', async () => {
  const vscode = editor();
  await started(vscode);

  assert.deepStrictEqual(vscode.registered.profiles, ['flow: Run', 'flow: Debug']);
});

for (const [command, name, args] of [
  ['flow.run', 'run a.yaml', ['run', '/shop/a.yaml']],
  ['flow.record', 'record a.yaml', ['run', '/shop/a.yaml', '--record']],
  ['flow.replay', 'replay a.yaml', ['replay', '/shop/a.transcript.jsonl']],
]) {
  test(`${command} runs in the terminal, without a shell`, async () => {
    const vscode = editor();
    await started(vscode);
    await vscode.registered.commands[command](target);

    assert.deepStrictEqual(vscode.notes.at(-1), ['task', name, 'flow', args, {cwd: '/shop'}]);
  });
}

test('without a lens, the active editor has the scenario', async () => {
  const vscode = editor();
  vscode.window.activeTextEditor = {document: {uri: vscode.uri('file:///shop/b.yaml')}};
  await started(vscode);
  await vscode.registered.commands['flow.debug']();

  assert.deepStrictEqual(vscode.notes.at(-1), ['debug', {
    type: 'flow', request: 'launch', name: 'b.yaml', program: '/shop/b.yaml', stopOnEntry: false,
  }]);
});

test('a changed scenario is saved, and one that cannot be saved does not run', async () => {
  const vscode = editor();
  vscode.workspace.textDocuments = [
    {uri: vscode.uri(target.uri), isDirty: true, save: async () => false},
  ];
  await started(vscode);
  await vscode.registered.commands['flow.run'](target);

  assert.strictEqual(vscode.notes.length, 1);
});

test('a text without a file does not run', async () => {
  const vscode = editor();
  vscode.window.activeTextEditor = {document: {uri: vscode.uri('untitled:Untitled-1')}};
  await started(vscode);
  await vscode.registered.commands['flow.run']();

  assert.deepStrictEqual(
    vscode.notes.at(-1), ['error', 'flow runs scenarios in files; save this one first.']);
});

test('a step runs live when the recording has come to it', async () => {
  const vscode = editor();
  await started(vscode);
  await vscode.registered.commands['flow.runStep']({...target, step: 'pay'});
  const configuration = vscode.notes.at(-1)[1];
  const requests = [];
  const tracker = vscode.registered.factories.tracker.createDebugAdapterTracker({
    configuration, customRequest: async (...all) => { requests.push(all); },
  });
  const stop = (reason) => ({type: 'event', event: 'stopped', body: {reason, threadId: 1}});
  tracker.onWillStartSession();
  tracker.onDidSendMessage(stop('entry'));
  tracker.onDidSendMessage(stop('breakpoint'));
  tracker.onDidSendMessage(stop('breakpoint'));
  await new Promise(setImmediate);

  assert.strictEqual(configuration.goLiveAt, 'pay');
  assert.deepStrictEqual(requests, [['continueLive'], ['next', {threadId: 1}]]);
  assert.deepStrictEqual(vscode.notes.slice(-2), [['add', ['pay']], ['remove', ['pay']]]);
});

test('a session without a step is left alone', async () => {
  const vscode = editor();
  await started(vscode);
  const tracker = vscode.registered.factories.tracker.createDebugAdapterTracker({
    configuration: {},
  });

  assert.strictEqual(tracker, undefined);
});

test('the debugger is the program of the settings', async () => {
  const vscode = editor({path: '/opt/flow'});
  await started(vscode);
  const adapter = vscode.registered.factories.adapter.createDebugAdapterDescriptor();

  assert.deepStrictEqual(adapter.all, ['/opt/flow', ['debug', '--dap']]);
});

test('F5 without a configuration debugs the active file, if it may be a scenario', async () => {
  const vscode = editor();
  await started(vscode);
  const {resolveDebugConfiguration} = vscode.registered.factories.configuration;
  vscode.window.activeTextEditor = {document: {languageId: 'yaml', fileName: '/shop/a.yaml'}};

  assert.deepStrictEqual(resolveDebugConfiguration(undefined, {}), {
    type: 'flow', request: 'launch', name: 'a.yaml', program: '/shop/a.yaml',
  });
  vscode.window.activeTextEditor.document.languageId = 'markdown';
  assert.strictEqual(resolveDebugConfiguration(undefined, {}), undefined);
});
