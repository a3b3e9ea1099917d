import type { Config, Logger as Log } from './config';
// <- import ./config (Config, Logger as Log)
import legacy = require('legacy');
// <- import legacy as legacy
export * as helpers from './helpers';
// <- import ./helpers as helpers

/** An option. */
export interface Options<T> extends Base, ns.Other<T> {
//               ^ definition.interface (doc, body)
// ~ type T, base Base, base Other, type T
  readonly name: string;
  //       ^ definition.field in Options
  callback?: (x: T) => void;
  // <- definition.field in Options
  // ~ type T
  run(input: Config): Promise<Result>;
  // <- definition.method in Options
  // ~ type Config, type Promise, type Result
}

export type Id = string | number;
//          ^ definition.type

export enum Color {
//          ^ definition.enum (body)
  Red,
  // <- definition.constant in Color
  Green = 'green',
  // <- definition.constant in Color
}

export abstract class Service<T> extends Parent<T> implements Options<T>, Disposable {
//                    ^ definition.class (body)
// ~ type T, base Parent, type T, base Options, type T, base Disposable
  private static cache: Map<string, T> = new Map<string, T>();
  //             ^ definition.field in Service
  // ~ type Map, type T, type Map, type T
  readonly handler = async (event: Event): Promise<void> => { this.cache.get(event); };
  //       ^ definition.method in Service (body)
  // ~ type Event, type Promise, call get

  constructor(private readonly log: Log) {
  // <- definition.constructor in Service (body)
  // ~ type Log
    super();
  }

  abstract stop(): void;
  //       ^ definition.method in Service

  get(id: Id): T | undefined;
  // <- definition.method in Service
  // ~ type Id, type T
  /** Gets. */
  @memoize({ ttl: 10 })
  // ~ call memoize
  public get(id: any) {
  //     ^ definition.method in Service (doc, body)
  //     ^ begins @memoize({ ttl: 10 })
    const local: Config = load<Config>(id) as Config;
    // ~ type Config, call load, type Config, type Config
    return local;
    // ^ scope Service.get
  }
}

declare module 'external' {
//              ^ definition.module (body)
  export function external(a: number): string;
  //              ^ definition.function in external
  const value: number;
  //    ^ definition.constant in external
}

namespace Inner.Deep {
//              ^ definition.module of Inner (body)
  export const x = 1;
  //           ^ definition.constant in Deep
}

export default class<T> {
// ~ type T
}

declare function ambient(): void;
//               ^ definition.function

export function overload(a: string): void;
//              ^ definition.function
export function overload(a: unknown): void {
//              ^ definition.function (body)
  helper(a!);
  // ~ call helper
}

@Injectable()
// ~ call Injectable
export class Service {}
//           ^ definition.class (body)
//           ^ signature export class Service
const table = {
//    ^ definition.constant
//    ^ signature const table
    a: 1,
    b: 2,
};
