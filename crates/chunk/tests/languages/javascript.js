#!/usr/bin/env node
import def, { a, b as c } from './util.js';
// <- import ./util.js (default as def, a, b as c)
import * as ns from "ns";
// <- import ns as ns
import './side-effect.css';
// <- import ./side-effect.css
export { x, y as z } from '../other';
// <- import ../other (x, y as z)
export * from 'all';
// <- import all (*)
const fs = require('fs');
//         ^ import fs as fs
// ~ call require
const { join, resolve: res } = require('path');
//                             ^ import path (join, resolve as res)
// ~ call require
const lazy = () => import('./lazy.js');
//    ^ definition.function (body)
//                 ^ import ./lazy.js

export const LIMIT = 10;
//           ^ definition.constant
let one = 1, two = 2;
//  ^ definition.constant
//           ^ definition.constant
var old;
//  ^ definition.constant

/**
 * Adds.
 */
export default function add(p, q = two) {
//                      ^ definition.function (doc, body)
//                      ^ begins export default function
//                      ^ doc * Adds.
  const local = p;
  function nested() { return local; }
  //       ^ definition.function in add (body)
  return nested(p) + helper(q);
  // ~ call nested, call helper
}

export const arrow = async (x) => {
//           ^ definition.function (body)
  const inner = y => y;
  //    ^ definition.function in arrow (body)
  return fs.promises.readFile(inner(x));
  // ~ call readFile, call inner
};

function* generate() { yield new Thing.Part(); }
//        ^ definition.function (body)
// ~ type Part

// A shape.
@decorate
export class Shape extends ns.Base {
//           ^ definition.class (doc, body)
//           ^ begins @decorate export
// ~ base Base
  static count = 0;
  //     ^ definition.field in Shape
  #secret = 1;
  // <- definition.field in Shape
  onClick = () => { this.draw(); };
  // <- definition.method in Shape (body)
  // ~ call draw

  /** Makes one. */
  constructor(size) {
  // <- definition.constructor in Shape (doc, body)
    super(size);
  }

  get area() { return this.size ** 2; }
  //  ^ definition.method in Shape (body)
  async *walk() {}
  //     ^ definition.method in Shape (body)
}

const Anonymous = class extends Shape {
//    ^ definition.class (body)
// ~ base Shape
  run() {}
  // <- definition.method in Anonymous (body)
};

module.exports.run = function () { return 1; };
//             ^ definition.function (body)
Shape.prototype.draw = () => {};
//              ^ definition.function of Shape (body)

const handlers = {
//    ^ definition.constant
  onOpen: function () {},
  // <- definition.method in handlers (body)
  onClose() {},
  // <- definition.method in handlers (body)
  plain: 1,
};

describe('suite', () => {
// ~ call describe
  const local = 1;
  it('works', function () { const other = expect(local).toBe(1); });
  // ~ call it, call expect, call toBe
});

export const View = () => <Panel.Body title="x"><div>{LIMIT}</div><Icon /></Panel.Body>;
//           ^ definition.function (body)
// ~ call Body, call Icon

res.send = function (body) { return body; };
//  ^ definition.function of res (body)
View.prototype.lookup = function lookup(name) { return name; };
//             ^ definition.function of View (body)
exports.parse = function (text) { return text; };
//      ^ definition.function (body)
