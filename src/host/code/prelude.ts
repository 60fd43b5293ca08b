/**
 * Runs in the engine before a program, with functions of the host: `send(id, tool, json)`,
 * `log(line)` and `finish(isError, json)`. Returns `settle(id, isError, json)` and `run(main)`.
 * A program can change the globals, which harms nobody but itself: the host checks what it gets.
 */
export const prelude = `(function (send, log, finish, inputJson) {
'use strict';
const { parse, stringify } = JSON;
const waiting = new Map();
const unseen = new Map();
const codes = new WeakMap();
let lastId = 0;
const toError = ({ code, message }) => {
  const error = new Error(message);
  error.name = 'ToolError';
  error.code = code;
  codes.set(error, code);
  return error;
};
const toJson = (value) => {
  const json = stringify(value === undefined ? null : value);
  if (json === undefined) throw new TypeError('a ' + typeof value + ' is not JSON');
  return json;
};
/** The call is made once somebody waits for it; one that nobody waits for is a mistake. */
function callTool(tool, input) {
  const name = String(tool);
  const json = toJson(input === undefined ? {} : input);
  const id = ++lastId;
  unseen.set(id, name);
  let promise;
  const begin = () => {
    if (promise !== undefined) return promise;
    unseen.delete(id);
    const { promise: made, resolve, reject } = Promise.withResolvers();
    promise = made;
    waiting.set(id, { resolve, reject, promise });
    send(id, name, json);
    return promise;
  };
  return Object.freeze({
    then: (done, failed) => begin().then(done, failed),
    catch: (failed) => begin().catch(failed),
    finally: (last) => begin().finally(last),
    get [Symbol.toStringTag]() { return 'Promise'; },
  });
}
const toolAt = (path) => new Proxy(function () {}, {
  get: (_, key) =>
    typeof key === 'symbol' || key === 'then' ? undefined : toolAt(path === '' ? key : path + '.' + key),
  apply: (_, self, [input]) => callTool(path, input),
});
const toLine = (value) => {
  if (typeof value === 'string') return value;
  try { return value instanceof Error ? String(value) : stringify(value) ?? String(value); } catch { return String(value); }
};
const write = (...values) => log(values.map(toLine).join(' '));
const set = (name, value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
set('tools', toolAt(''));
set('callTool', callTool);
set('search', (query, limit) => callTool('tools.search', { query, limit: limit ?? null }));
set('input', parse(inputJson));
set('console', { log: write, info: write, warn: write, error: write, debug: write });
for (const name of ['SharedArrayBuffer', 'Atomics']) delete globalThis[name];
const describe = (thrown) => {
  const isError = thrown instanceof Error;
  const text = isError ? thrown.name + ': ' + thrown.message : 'The program threw ' + toLine(thrown);
  const line = isError ? /<program>:(\\d+)/.exec(thrown.stack ?? '')?.[1] : undefined;
  const code = isError ? codes.get(thrown) : undefined;
  const words = code === undefined ? text : thrown.message;
  return stringify({ message: line === undefined ? words : words + ' (line ' + line + ')', code });
};
async function outcome(main) {
  const value = await main();
  while (waiting.size > 0) await Promise.allSettled([...waiting.values()].map((call) => call.promise));
  for (const name of unseen.values()) throw new TypeError('The call of ' + name + ' is not awaited: write await before it');
  return toJson(value);
}
return {
  settle(id, isError, json) {
    const call = waiting.get(id);
    if (call === undefined) return;
    waiting.delete(id);
    if (isError) call.reject(toError(parse(json)));
    else call.resolve(parse(json));
  },
  run(main) {
    outcome(main).then((json) => finish(false, json), (thrown) => finish(true, describe(thrown)));
  },
};
})`
