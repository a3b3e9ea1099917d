import type { T } from "t";

export interface I<T> { a: string; f(x: T): void }

@Injectable()
export class A implements I<number> {
  constructor(private readonly a: string) {}
  f(x: number): void { this.a = `${x}`; }
}

namespace N { export enum E { A = 1, B } }
export type U = A | null;
function g<T>(x: T): T { return x; }
