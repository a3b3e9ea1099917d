// The route: the part of the address after `#`, as `/view/id/tab?query`.

import { useEffect, useState } from "preact/hooks";

export interface Route {
  parts: string[];
  query: URLSearchParams;
}

export function read(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { parts: path.split("/").filter(Boolean).map(decodeURIComponent), query: new URLSearchParams(query) };
}

/** The address of a view. */
export function href(parts: (string | number)[], query?: Record<string, string>): string {
  const search = query && Object.keys(query).length ? `?${new URLSearchParams(query)}` : "";
  return `#/${parts.map((it) => encodeURIComponent(it)).join("/")}${search}`;
}

export function go(parts: (string | number)[], query?: Record<string, string>): void {
  location.hash = href(parts, query);
}

export function useRoute(): Route {
  const [route, set] = useState(read);
  useEffect(() => {
    const follow = () => set(read());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}
