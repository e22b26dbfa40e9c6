// The scenarios of the workspace in the Test Explorer, by `flow list --tests` and `flow test`.
'use strict';

const {spawn} = require('node:child_process');
const path = require('node:path');

/**
 * Shows the scenarios as a tree of files, scenarios and cases, and returns what disposes it.
 *
 * `vscode` is the editor's module, and `program` returns the path of `flow`.
 */
function testExplorer(vscode, program) {
  const explorer = new Explorer(vscode, program);
  explorer.refresh();
  return explorer;
}

class Explorer {
  constructor(vscode, program) {
    this.vscode = vscode;
    this.program = program;
    /** The tests of `flow list --tests`, by the item of their scenario: `{root, file}`. */
    this.tests = new WeakMap();
    this.controller = vscode.tests.createTestController('flow', 'flow');
    this.controller.refreshHandler = () => this.refresh();
    const {Run, Debug} = vscode.TestRunProfileKind;
    this.controller.createRunProfile(
      'Run', Run, (request, token) => this.run(request, token), true);
    this.controller.createRunProfile(
      'Debug', Debug, (request, token) => this.debug(request, token), true);
    const watcher = vscode.workspace.createFileSystemWatcher('**/*.{yaml,yml,jsonl}');
    const changed = () => { this.refresh(); };
    this.parts = [
      this.controller, watcher, watcher.onDidCreate(changed), watcher.onDidChange(changed),
      watcher.onDidDelete(changed), vscode.workspace.onDidChangeWorkspaceFolders(changed),
    ];
  }

  dispose() {
    for (const part of this.parts) part?.dispose();
  }

  // MARK: - The tree

  /** Lists the tests again. Changes during a list make one more list, however many they are. */
  refresh() {
    this.isStale = true;
    this.refreshing ??= this.relist().finally(() => { this.refreshing = undefined; });
    return this.refreshing;
  }

  async relist() {
    while (this.isStale) {
      this.isStale = false;
      // Two folders of the workspace may be in one project, whose tests are then listed twice.
      const items = new Map();
      for (const root of await this.roots()) {
        for (const item of await this.list(root)) items.set(item.id, item);
      }
      this.controller.items.replace([...items.values()]);
    }
  }

  /** The folders of the workspace, and those of further projects in it. */
  async roots() {
    const folders = (this.vscode.workspace.workspaceFolders ?? []).map((one) => one.uri.fsPath);
    if (folders.length === 0) return [];
    const files = await this.vscode.workspace.findFiles(
      '**/flow.{yaml,yml}', '**/node_modules/**');
    return [...new Set([...folders, ...files.map((file) => path.dirname(file.fsPath))])].sort();
  }

  /** The items of the files of a folder, or one with the reason why there are none. */
  async list(root) {
    const {output, errors} = await this.flow(['list', '--tests', '--format', 'json'], root);
    let tests;
    try {
      ({tests} = JSON.parse(output));
    } catch {
      const item = this.controller.createTestItem(root, 'flow list --tests');
      item.error = errors.trim() || 'flow printed no list of tests';
      return [item];
    }
    return tests.map((test) => this.fileItem(test, root));
  }

  fileItem(test, root) {
    const {vscode, controller} = this;
    const file = path.resolve(root, test.file);
    const uri = vscode.Uri.file(file);
    const item = controller.createTestItem(file, vscode.workspace.asRelativePath(uri), uri);
    const scenario = controller.createTestItem(
      'scenario', test.name || path.basename(file), uri);
    scenario.range = this.line(test.line);
    scenario.tags = test.tags.map((name) => new vscode.TestTag(name));
    scenario.description = test.tags.join(', ');
    scenario.error = test.diagnostics[0]?.message;
    this.tests.set(scenario, {root, file: test.file});
    const ids = new CaseIDs();
    for (const row of test.cases) {
      const at = vscode.Uri.file(path.resolve(root, row.file));
      const child = controller.createTestItem(ids.next(row.name), row.name, at);
      child.range = this.line(row.line);
      scenario.children.add(child);
    }
    item.children.add(scenario);
    return item;
  }

  /** The range of a line, which counts from 1 in flow, and from 0 in the editor. */
  line(number) {
    return new this.vscode.Range(number - 1, 0, number - 1, 0);
  }

  // MARK: - Running

  async run(request, token) {
    const run = this.controller.createTestRun(request);
    const scenarios = this.scenarios(request);
    for (const scenario of scenarios) run.enqueued(scenario);
    const isWhole = !request.include && !request.exclude?.length;
    try {
      for (const root of new Set(scenarios.map((one) => this.tests.get(one).root))) {
        const part = scenarios.filter((one) => this.tests.get(one).root === root);
        await this.runPart(part, root, isWhole, run, token);
      }
    } finally {
      run.end();
    }
  }

  /** Runs scenarios of one folder, all of them at once, as `flow test` divides them. */
  async runPart(scenarios, root, isWhole, run, token) {
    for (const scenario of scenarios) run.started(scenario);
    const files = scenarios.map((one) => this.tests.get(one).file);
    const {output, errors} = await this.flow(
      ['test', '--report', 'jsonl=-', ...(isWhole ? [] : ['--', ...files])], root, token,
      (text) => run.appendOutput(text.replace(/\r?\n/g, '\r\n')));
    const waiting = new Map(
      scenarios.map((one) => [path.resolve(root, this.tests.get(one).file), one]));
    for (const {scenario, cases} of reported(output)) {
      const file = path.resolve(root, scenario.path);
      const item = waiting.get(file);
      if (!item) continue;
      waiting.delete(file);
      this.finishCases(item, cases, root, run);
      this.finish(item, scenario, root, run);
    }
    for (const item of waiting.values()) {
      if (token.isCancellationRequested) run.skipped(item);
      else run.errored(item, this.message(errors.trim() || 'flow reported nothing', item));
    }
  }

  finish(item, scenario, root, run) {
    const duration = scenario.seconds * 1000;
    switch (scenario.verdict) {
      case 'passed': case 'recorded': return run.passed(item, duration);
      case 'not run': return run.skipped(item);
      default:
    }
    const messages = scenario.diagnostics.map((one) => this.problem(one, item, root));
    if (messages.length === 0) {
      const text = [...scenario.details, ...scenario.notes].join('\n') || scenario.verdict;
      messages.push(this.message(text, item));
    }
    // Mistakes in the scenario have codes from F1000 on: it did not run.
    const isBroken = scenario.diagnostics[0]?.code.startsWith('F1');
    return isBroken ? run.errored(item, messages, duration) : run.failed(item, messages, duration);
  }

  /** Reports the cases, also those that no list could know before the run. */
  finishCases(scenario, cases, root, run) {
    const ids = new CaseIDs();
    for (const {title, state, seconds, diagnostics} of cases) {
      const id = ids.next(title);
      let item = scenario.children.get(id);
      if (!item) {
        item = this.controller.createTestItem(id, title, scenario.uri);
        item.range = scenario.range;
        scenario.children.add(item);
      }
      if (state === 'passed') {
        run.passed(item, seconds * 1000);
      } else if (state === 'failed') {
        const messages = (diagnostics ?? []).map((one) => this.problem(one, item, root));
        run.failed(
          item, messages.length > 0 ? messages : this.message('failed', item), seconds * 1000);
      } else {
        run.skipped(item);
      }
    }
  }

  /** A problem at its place, or at that of its test. */
  problem({message, notes, context, file, line, column, endLine, endColumn}, item, root) {
    const shown = this.message([message, ...notes, ...(context ?? [])].join('\n'), item);
    if (file) {
      const range = new this.vscode.Range(line - 1, column - 1, endLine - 1, endColumn - 1);
      shown.location = new this.vscode.Location(
        this.vscode.Uri.file(path.resolve(root, file)), range);
    }
    return shown;
  }

  message(text, item) {
    const message = new this.vscode.TestMessage(text);
    message.location = new this.vscode.Location(item.uri, item.range);
    return message;
  }

  // MARK: - Debugging

  /** Debugs one scenario after another, each in a session of its own. */
  async debug(request, token) {
    const run = this.controller.createTestRun(request);
    try {
      for (const scenario of this.scenarios(request)) {
        if (token.isCancellationRequested) break;
        run.started(scenario);
        if (await this.session(scenario, token)) run.skipped(scenario);
        else run.errored(scenario, this.message('the debugger did not start', scenario));
      }
    } finally {
      run.end();
    }
  }

  /** Returns true after the end of the session, or false if there was none. */
  async session(scenario, token) {
    const {debug, workspace} = this.vscode;
    const configuration = {
      type: 'flow', request: 'launch', name: scenario.label, program: scenario.uri.fsPath,
      stopOnEntry: false,
    };
    const parts = [];
    const own = (session) => session.configuration.program === configuration.program;
    const ended = new Promise((resolve) => {
      parts.push(
        debug.onDidTerminateDebugSession((session) => { if (own(session)) resolve(); }),
        debug.onDidStartDebugSession((session) => {
          if (own(session)) parts.push(
            token.onCancellationRequested(() => debug.stopDebugging(session)));
        }));
    });
    try {
      const folder = workspace.getWorkspaceFolder(scenario.uri);
      if (!await debug.startDebugging(folder, configuration)) return false;
      await ended;
      return true;
    } finally {
      for (const part of parts) part.dispose();
    }
  }

  // MARK: - Helpers

  /** The scenarios of a request. A case runs with its scenario, which may need the others. */
  scenarios(request) {
    const all = [];
    this.controller.items.forEach((item) => all.push(item));
    const excluded = new Set(request.exclude ?? []);
    const found = (request.include ?? all).flatMap((item) => this.scenariosOf(item));
    return [...new Set(found)].filter((one) => !excluded.has(one) && !excluded.has(one.parent));
  }

  scenariosOf(item) {
    if (this.tests.has(item)) return [item];
    if (item.parent && this.tests.has(item.parent)) return [item.parent];
    const found = [];
    item.children.forEach((child) => { if (this.tests.has(child)) found.push(child); });
    return found;
  }

  /** Runs `flow` without a shell, and returns what it printed, whatever its exit code. */
  flow(args, cwd, token, receive = () => {}) {
    return new Promise((resolve) => {
      const child = spawn(this.program(), args, {cwd, stdio: ['ignore', 'pipe', 'pipe']});
      // The first Ctrl-C lets components end what they have started.
      const stop = token?.onCancellationRequested(() => child.kill('SIGINT'));
      let [output, errors] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text) => { output += text; });
      child.stderr.setEncoding('utf8').on('data', (text) => { errors += text; receive(text); });
      const end = (problem) => {
        stop?.dispose();
        resolve({output, errors: problem ? problem.message : errors});
      };
      child.on('error', end);
      child.on('close', () => end());
    });
  }
}

/** The ids of a scenario's cases, of which several may have one name. */
class CaseIDs {
  constructor() {
    this.counts = new Map();
  }

  next(name) {
    const number = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, number);
    // The editor refuses this character in ids.
    return `${number}: ${name.replaceAll('\0', ' ')}`;
  }
}

/** The scenarios of a report in JSON Lines, each with the cases of its first run. */
function reported(text) {
  const found = [];
  for (const line of text.split('\n')) {
    // A flow that was killed leaves half a line.
    let read;
    try { read = JSON.parse(line); } catch { continue; }
    if (read.kind === 'scenario') found.push({scenario: read.payload, cases: []});
    if (read.kind === 'case' && read.payload.run === 1) found.at(-1)?.cases.push(read.payload);
  }
  return found;
}

module.exports = {testExplorer};
