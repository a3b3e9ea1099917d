// Requests to the server that the page comes from, with its token where it requires one.

import { useCallback, useEffect, useState } from "preact/hooks";

/** The server requires a token, and the request had none or a wrong one. */
export class TokenRequired extends Error {}

const KEY = "foreword.token";

function session(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

let token = session()?.getItem(KEY) ?? "";

/** Stores the token while the tab is open. */
export function show(text: string): void {
  token = text.trim();
  session()?.setItem(KEY, token);
}

/** Whether the page shows a token. */
export const hasToken = (): boolean => token !== "";

/** Reads the token from `?token=` and removes it from the address. */
export function takeToken(): void {
  const params = new URLSearchParams(location.search).get("token");
  if (!params) return;
  show(params);
  history.replaceState(null, "", location.pathname + location.hash);
}

async function ask(path: string, more: RequestInit = {}): Promise<Response> {
  const headers = new Headers(more.headers);
  if (token) headers.set("authorization", `Bearer ${token}`);
  const answer = await fetch(path, { ...more, headers });
  if (answer.status === 401) throw new TokenRequired("The server requires its token.");
  if (answer.ok) return answer;
  const body = await answer.json().catch(() => null) as { error?: { message?: string } } | null;
  throw new Error(body?.error?.message ?? `The server answered ${answer.status}.`);
}

export type Params = Record<string, string | number | undefined>;

export async function get<T>(path: string, params: Params = {}, signal?: AbortSignal): Promise<T> {
  const pairs = Object.entries(params).filter((it) => it[1] !== undefined && it[1] !== "");
  const query = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)]));
  const answer = await ask(query.size ? `${path}?${query}` : path, signal ? { signal } : {});
  return await answer.json() as T;
}

export async function post<T>(path: string, body: unknown): Promise<T> {
  const headers = { "content-type": "application/json" };
  return await (await ask(path, { method: "POST", headers, body: JSON.stringify(body) })).json() as T;
}

/** Receives server-sent events, of a POST where there is a body. An EventSource can send neither that nor a token. */
export async function listen(path: string, onEvent: (name: string, data: unknown) => void, signal: AbortSignal, body?: unknown): Promise<void> {
  const headers = { accept: "text/event-stream", ...(body === undefined ? {} : { "content-type": "application/json" }) };
  const answer = await ask(path, { signal, headers, ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }) });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  while (reader) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (waiting + value).split("\n\n");
    waiting = events.pop() ?? "";
    for (const event of events) {
      const field = (name: string) => event.split("\n").find((it) => it.startsWith(`${name}: `))?.slice(name.length + 2);
      const data = field("data");
      if (data !== undefined) onEvent(field("event") ?? "message", JSON.parse(data));
    }
  }
}

export interface Answer<T> {
  data: T | null;
  error: Error | null;
  busy: boolean;
  again: () => void;
}

/** Debounces requests while somebody types, in milliseconds. */
const PAUSE = 150;

/** Requests again when the parameters change; keeps the last answer until the next one arrives. */
export function useGet<T>(path: string, params: Params = {}): Answer<T> {
  const [state, set] = useState<Omit<Answer<T>, "again">>({ data: null, error: null, busy: true });
  const [turn, next] = useState(0);
  const key = JSON.stringify(params);
  useEffect(() => {
    const stop = new AbortController();
    const ask = () => void get<T>(path, params, stop.signal).then(
      (data) => set({ data, error: null, busy: false }),
      (error: Error) => stop.signal.aborted || set({ data: null, error, busy: false }),
    );
    const wait = setTimeout(ask, state.data ? PAUSE : 0);
    set((it) => ({ ...it, busy: true }));
    return () => {
      clearTimeout(wait);
      stop.abort();
    };
  }, [path, key, turn]);
  return { ...state, again: useCallback(() => next((it) => it + 1), []) };
}
