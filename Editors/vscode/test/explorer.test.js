// The Test Explorer on a stand-in for the editor, with the real program: FLOW is its path.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');

const {testExplorer} = require('../explorer.js');

const flow = process.env.FLOW || 'flow';

class Items {
  constructor(parent) { this.all = new Map(); this.parent = parent; }
  get size() { return this.all.size; }
  get(id) { return this.all.get(id); }
  add(item) { item.parent = this.parent; this.all.set(item.id, item); }
  replace(items) {
    this.all.clear();
    for (const item of items) this.add(item);
    assert.strictEqual(this.size, items.length, 'the editor refuses two items with one id');
  }
  forEach(action) { for (const item of this.all.values()) action(item); }
}

/** A list of listeners, and the function that registers one. */
function event() {
  const listeners = new Set();
  const register = (listener) => {
    listeners.add(listener);
    return {dispose: () => listeners.delete(listener)};
  };
  const fire = (...all) => { for (const one of [...listeners]) one(...all); };
  return {register, listeners, fire};
}

/** A run that notes the end of each item, with the messages and their lines. */
function makeRun(folder, notes) {
  const place = ({location: {uri, range}}) =>
    `${path.relative(folder, uri.fsPath)}:${range.start.line + 1}`;
  const texts = (messages) => [messages].flat().map((one) => `${place(one)}: ${one.message}`);
  const note = (end) => (item, messages) => {
    const shown = end === 'failed' || end === 'errored' ? texts(messages) : [];
    notes.push([end, item.label, ...shown]);
  };
  const run = {appendOutput: (text) => { run.output += text; }, output: ''};
  for (const end of ['enqueued', 'started']) run[end] = () => {};
  for (const end of ['passed', 'failed', 'errored', 'skipped']) run[end] = note(end);
  run.end = () => notes.push(['end']);
  return run;
}

class Range {
  constructor(line, column, endLine, endColumn) {
    this.start = {line, character: column};
    this.end = {line: endLine, character: endColumn};
  }
}

/** A workspace with files, and the explorer on it. */
async function workspace(t, files, {program = flow, folders = ['']} = {}) {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'flow-explorer-')));
  t.after(() => fs.rmSync(folder, {recursive: true}));
  const write = (name, text) => {
    fs.mkdirSync(path.dirname(path.join(folder, name)), {recursive: true});
    fs.writeFileSync(path.join(folder, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const file = (fsPath) => ({fsPath, toString: () => `file://${fsPath}`});
  const world = {folder, write, notes: [], profiles: {}, runs: [], changed: event()};
  const events = {started: event(), ended: event()};
  world.events = events;
  const controller = {
    items: new Items(),
    createTestItem: (id, label, uri) => {
      assert.doesNotMatch(id, /\0/, 'the editor refuses such an id');
      const item = {id, label, uri, tags: []};
      item.children = new Items(item);
      return item;
    },
    createRunProfile: (name, kind, handler) => { world.profiles[kind] = handler; },
    createTestRun: () => {
      world.runs.push(makeRun(folder, world.notes));
      return world.runs.at(-1);
    },
    dispose: () => world.notes.push(['disposed']),
  };
  world.controller = controller;
  world.debugged = [];
  const none = () => ({dispose: () => {}});
  const vscode = {
    Range,
    Location: class { constructor(uri, range) { Object.assign(this, {uri, range}); } },
    TestMessage: class { constructor(message) { this.message = message; } },
    TestTag: class { constructor(id) { this.id = id; } },
    TestRunProfileKind: {Run: 1, Debug: 2},
    Uri: {file},
    tests: {createTestController: () => controller},
    debug: {
      onDidStartDebugSession: events.started.register,
      onDidTerminateDebugSession: events.ended.register,
      startDebugging: async (_, configuration) => world.startDebugging(configuration),
      stopDebugging: (session) => { world.notes.push(['stop']); events.ended.fire(session); },
    },
    workspace: {
      workspaceFolders: folders.map((name) => ({uri: file(path.join(folder, name))})),
      asRelativePath: (uri) => path.relative(folder, uri.fsPath),
      getWorkspaceFolder: () => undefined,
      findFiles: async () => fs.readdirSync(folder, {recursive: true})
        .filter((name) => path.basename(name) === 'flow.yaml')
        .map((name) => file(path.join(folder, name))),
      createFileSystemWatcher: () => ({
        onDidCreate: world.changed.register, onDidChange: none, onDidDelete: none,
        dispose: () => {},
      }),
      onDidChangeWorkspaceFolders: none,
    },
  };
  world.explorer = testExplorer(vscode, () => program);
  await world.explorer.refresh();
  return world;
}

/** The tree as lines: `label @line #tag !error`. */
function tree(items, indent = '') {
  const lines = [];
  items.forEach((item) => {
    const line = item.range ? ` @${item.range.start.line + 1}` : '';
    const tags = item.tags.map((tag) => ` #${tag.id}`).join('');
    lines.push(`${indent}${item.label}${line}${tags}${item.error ? ` !${item.error}` : ''}`);
    lines.push(...tree(item.children, `${indent}  `));
  });
  return lines;
}

/** The item at a path of labels. */
function item(items, ...labels) {
  let found;
  items.forEach((one) => { if (one.label === labels[0]) found = one; });
  return labels.length > 1 ? item(found.children, ...labels.slice(1)) : found;
}

/** A request to stop, which has not come. */
const token = {isCancellationRequested: false, onCancellationRequested: () => ({dispose() {}})};

const prices = `flow: 1
name: Prices
tags: [smoke]
components:
  wallet: {plugin: balance, with: {opening: 10.00}}
steps:
  - for: row
    in:
      - {name: rain, amount: 1.00}
      - {name: snow, amount: 2.00}
    cases: \${{ row.name }}
    fail-fast: false
    do:
      - uses: wallet.subtract
        with: {amount: "\${{ row.amount }}"}
        expect: {balance: 9.00}
`;
const good = 'flow: 1\nsteps: [{assert: ["${{ 1 < 2 }}"]}]\n';
const problem = 'prices.yaml:16: \'for/wallet.subtract#2\' did not answer as expected\n'
  + 'balance: expected 9.00, got 7.00\nthe case is "snow"\ninput: {amount: 2.00}\n'
  + 'answer: {balance: 7.00}\nin \'for\', iteration 2: row is {name: "snow", amount: 2.00}';

test('files, scenarios and cases are a tree with lines, tags and mistakes', async (t) => {
  const {controller} = await workspace(t, {
    'prices.yaml': prices, 'a/good.yaml': good,
    'bad.yaml': 'flow: 1\nname: Bad\nsteps: [{uses: api.get}]\n', 'other.yaml': 'key: value\n',
  });

  assert.deepStrictEqual(tree(controller.items), [
    'a/good.yaml', '  good.yaml @1',
    'bad.yaml', '  bad.yaml @3 !unknown component \'api\'',
    'prices.yaml', '  Prices @2 #smoke', '    rain @9', '    snow @10',
  ]);
});

test('all scenarios run, and a failure is at its line, also that of a case', async (t) => {
  const {controller, notes, profiles} = await workspace(t, {
    'prices.yaml': prices, 'a/good.yaml': good,
    'bad.yaml': 'flow: 1\nname: Bad\nsteps: [{uses: api.get}]\n',
  });
  await profiles[1]({}, token);

  assert.deepStrictEqual(notes, [
    ['passed', 'good.yaml'],
    ['errored', 'bad.yaml',
      'bad.yaml:3: unknown component \'api\'\nthe scenario declares no \'components\''],
    ['passed', 'rain'], ['failed', 'snow', problem], ['failed', 'Prices', problem],
    ['end'],
  ]);
  assert.strictEqual(controller.items.size, 3);
});

test('one scenario runs alone, and a case runs with its scenario', async (t) => {
  const {controller, notes, profiles, runs} = await workspace(t, {
    'prices.yaml': prices, 'good.yaml': good,
  });
  await profiles[1]({include: [item(controller.items, 'good.yaml', 'good.yaml')]}, token);
  const scenario = item(controller.items, 'prices.yaml', 'Prices');
  await profiles[1]({include: [scenario, item(scenario.children, 'rain')]}, token);

  assert.deepStrictEqual(notes, [
    ['passed', 'good.yaml'], ['end'],
    ['passed', 'rain'], ['failed', 'snow', problem], ['failed', 'Prices', problem], ['end'],
  ]);
  assert.match(runs[1].output, /^prices\.yaml:16:18: error: .*\r\n {3}16 \|/);
});

test('an excluded file does not run, but the scenario of an excluded case does', async (t) => {
  const {controller, notes, profiles} = await workspace(t, {
    'prices.yaml': prices, 'good.yaml': good,
  });
  const exclude = [
    item(controller.items, 'good.yaml'), item(controller.items, 'prices.yaml', 'Prices', 'rain'),
  ];
  await profiles[1]({exclude}, token);

  assert.deepStrictEqual(notes.map(([end, label]) => [end, label]), [
    ['passed', 'rain'], ['failed', 'snow'], ['failed', 'Prices'], ['end', undefined],
  ]);
});

test('cases that only a run knows are added, and are listed once they are recorded', async (t) => {
  const {controller, explorer, notes, profiles} = await workspace(t, {
    'rows.csv': 'name\nrain\nsnow\n',
    'rows.yaml': `flow: 1
name: Rows
components: {files: {plugin: file}}
steps:
  - {id: rows, uses: files.read, with: {path: rows.csv, as: csv, columns: {name: string}}}
  - for: row
    in: \${{ steps.rows.data }}
    cases: \${{ row.name }}
    do: [{assert: ["\${{ row.name != '' }}"]}]
`,
  });
  const before = tree(controller.items);
  await profiles[1]({}, token);
  const after = tree(controller.items);
  await explorer.refresh();

  assert.deepStrictEqual(before, ['rows.yaml', '  Rows @2']);
  assert.deepStrictEqual(after, [...before, '    rain @2', '    snow @2']);
  assert.deepStrictEqual(tree(controller.items), [...before, '    rain @8', '    snow @8']);
  assert.deepStrictEqual(
    notes, [['passed', 'rain'], ['passed', 'snow'], ['passed', 'Rows'], ['end']]);
});

test('a new file is listed, and changes during a list make one more', async (t) => {
  const {changed, controller, explorer, write} = await workspace(t, {'a.yaml': good});
  const lists = t.mock.method(explorer, 'list');
  write('b.yaml', good);
  changed.fire();
  for (let count = 0; count < 5; count += 1) changed.fire();
  await explorer.refresh();

  assert.deepStrictEqual(tree(controller.items), [
    'a.yaml', '  a.yaml @1', 'b.yaml', '  b.yaml @1',
  ]);
  assert.strictEqual(lists.mock.callCount(), 2);
});

test('every project of the workspace is listed and run by itself', async (t) => {
  const {controller, notes, profiles} = await workspace(t, {
    'a.yaml': good, 'shop/flow.yaml': 'flow: 1\nscenarios: [tests]\n', 'shop/tests/b.yaml': good,
    'shop/c.yaml': good,
  });
  await profiles[1]({}, token);

  assert.deepStrictEqual(tree(controller.items), [
    'a.yaml', '  a.yaml @1', 'shop/tests/b.yaml', '  b.yaml @1',
  ]);
  assert.deepStrictEqual(notes, [['passed', 'a.yaml'], ['passed', 'b.yaml'], ['end']]);
});

test('a project with two folders of the workspace is listed once', async (t) => {
  const {controller} = await workspace(
    t, {'flow.yaml': 'flow: 1\nscenarios: [a]\n', 'a/a.yaml': good, 'b/b.yaml': good},
    {folders: ['a', 'b']});

  assert.deepStrictEqual(tree(controller.items), ['a/a.yaml', '  a.yaml @1']);
});

test('cases of one name, and a name with any character, are separate items', async (t) => {
  const {controller, notes, profiles} = await workspace(t, {
    'a.yaml': `flow: 1
steps:
  - {for: a, in: [x], cases: "\${{ a }}", do: [{wait: 1ms}]}
  - {for: a, in: [x, "y\\0"], cases: "\${{ a }}", do: [{wait: 1ms}]}
`,
  });
  await profiles[1]({}, token);

  const lines = tree(controller.items).slice(2).map((line) => line.at(-1));
  assert.deepStrictEqual(lines, ['3', '4', '4']);
  assert.strictEqual(notes.length, 5);
});

test('a program that is missing is an item with the reason', async (t) => {
  const {controller} = await workspace(t, {'a.yaml': good}, {program: '/no/flow'});

  assert.deepStrictEqual(
    tree(controller.items), ['flow list --tests !spawn /no/flow ENOENT']);
});

test('a run that does not start has its message at every scenario', async (t) => {
  const {notes, profiles, write} = await workspace(t, {'a.yaml': good});
  write('flow.yaml', 'flow: 2\n');
  await profiles[1]({}, token);

  assert.match(notes[0][2], /^a\.yaml:1: flow\.yaml:1:7: error: /);
  assert.deepStrictEqual(notes.map(([end, label]) => [end, label]), [
    ['errored', 'a.yaml'], ['end', undefined],
  ]);
});

test('a stopped run ends flow, and leaves the scenario without a verdict', async (t) => {
  const {notes, profiles} = await workspace(t, {'a.yaml': 'flow: 1\nsteps: [{wait: 10m}]\n'});
  const stop = event();
  const request = {isCancellationRequested: false, onCancellationRequested: stop.register};
  const ended = profiles[1]({}, request);
  request.isCancellationRequested = true;
  stop.fire();
  await ended;

  assert.deepStrictEqual(notes, [['skipped', 'a.yaml'], ['end']]);
  assert.strictEqual(stop.listeners.size, 0);
});

test('scenarios are debugged one after another, each in its own session', async (t) => {
  const world = await workspace(t, {'a.yaml': good, 'b.yaml': good});
  world.startDebugging = (configuration) => {
    world.debugged.push(configuration);
    const session = {configuration};
    world.events.started.fire(session);
    setImmediate(() => world.events.ended.fire(session));
    return true;
  };
  await world.profiles[2]({}, token);

  const launch = (name) => ({
    type: 'flow', request: 'launch', name, program: path.join(world.folder, name),
    stopOnEntry: false,
  });
  assert.deepStrictEqual(world.debugged, [launch('a.yaml'), launch('b.yaml')]);
  assert.deepStrictEqual(world.notes, [['skipped', 'a.yaml'], ['skipped', 'b.yaml'], ['end']]);
  assert.strictEqual(world.events.ended.listeners.size, 0);
});

test('a stopped run ends the session, and one that does not start is an error', async (t) => {
  const world = await workspace(t, {'a.yaml': good});
  const stop = event();
  world.startDebugging = (configuration) => {
    world.events.started.fire({configuration});
    setImmediate(() => stop.fire());
    return true;
  };
  await world.profiles[2]({}, {onCancellationRequested: stop.register});
  world.startDebugging = () => false;
  await world.profiles[2]({}, token);

  assert.deepStrictEqual(world.notes, [
    ['stop'], ['skipped', 'a.yaml'], ['end'],
    ['errored', 'a.yaml', 'a.yaml:1: the debugger did not start'], ['end'],
  ]);
});
