import { a as b } from './a.js';
const c = require('c');

/** A. */
export class A extends B {
  #x = 1;
  constructor() { super(); }
  f(x) { return `t${x}t`; }
}

export const g = async (y) => {
  return <div className="d">{y}</div>;
};
module.exports = { g };
