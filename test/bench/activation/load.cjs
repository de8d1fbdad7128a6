'use strict';
// Times one require() in a fresh process. In place of `vscode` stands something that has every name as a class.
const Module = require('node:module');

const stub = new Proxy({}, { get: () => class {} });
const load = Module._load;
Module._load = (request, ...rest) => (request === 'vscode' ? stub : load(request, ...rest));

const start = performance.now();
require(process.argv[2]);
console.log(performance.now() - start);
process.exit();
