type Handler<T> = (value: T) => void;

/** A typed event emitter. */
export class Emitter<Events extends Record<string, unknown>> {
  private handlers: { [K in keyof Events]?: Handler<Events[K]>[] } = {};

  on<K extends keyof Events>(name: K, handler: Handler<Events[K]>): void {
    (this.handlers[name] ??= []).push(handler);
  }

  emit<K extends keyof Events>(name: K, value: Events[K]): void {
    for (const handler of this.handlers[name] ?? []) {
      handler(value);
    }
  }
}
