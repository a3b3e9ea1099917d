// Entry point: a page with a trace shows it; a page from a server shows all views.

import { render } from "preact";
import { useEffect } from "preact/hooks";
import { takeToken } from "./api";
import { embedded, type Trace } from "./data";
import { Frame } from "./frame";
import { go, useRoute } from "./route";
import { Server } from "./server";
import { TraceView } from "./trace";

/** A page that was saved as a file. */
function Single({ trace }: { trace: Trace }) {
  const { parts } = useRoute();
  useEffect(() => {
    document.title = `${trace.path}:${trace.line} · foreword`;
  }, [trace]);
  return (
    <Frame views={[]} current="">
      <TraceView trace={trace} tab={parts[0] ?? "prompt"} open={(tab) => go([tab])} />
    </Frame>
  );
}

takeToken();
const app = document.getElementById("app");
const trace = embedded();
if (app) {
  app.replaceChildren();
  render(trace ? <Single trace={trace} /> : <Server />, app);
}
