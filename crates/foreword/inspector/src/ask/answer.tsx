// An answer on the page: what a model wrote, with its citations and what the check says of it, or the reading list.

import type { ComponentChildren } from "preact";
import type { Source } from "../data";
import { lines, plural } from "../format";
import { Path } from "../parts";
import { type Inline, type Line, markdown } from "./markdown";

/** Opens a piece of evidence, by its number; or lines of a file that an answer names. */
export type Open = (n: number) => void;

interface Cited {
  sources: Source[];
  open: Open;
}

export const at = (it: Source): string => `${it.path}:${lines({ start_line: it.cited_lines[0], end_line: it.cited_lines[1] })}`;

export function Cite({ n, sources, open, children }: Cited & { n: number; children?: ComponentChildren }) {
  const source = sources[n - 1];
  if (!source) return <>[{n}]</>;
  return (
    <button type="button" class="cite" data-cite={n} title={at(source)} aria-label={`Source ${n}: ${at(source)}`} onClick={() => open(n)}>
      {children ?? n}
    </button>
  );
}

export function Markdown({ text, sources, open }: Cited & { text: string }) {
  return (
    <div class="answer-text">
      {markdown(text).map((it, at) => {
        switch (it.kind) {
          case "rule": return <hr key={at} />;
          case "heading": return <h3 key={at} class={`level${it.level}`}><Said line={it.line} sources={sources} open={open} /></h3>;
          case "paragraph": return <p key={at}><All lines={it.lines} sources={sources} open={open} /></p>;
          case "item": return (
            <div key={at} class={`item in${it.depth}`}>
              <span class="mark" aria-hidden="true">{it.mark}</span>
              <div><All lines={it.lines} sources={sources} open={open} /></div>
            </div>
          );
          case "code": return (
            <pre key={at} class="raw quoted" tabIndex={0} role="region" aria-label={it.language ? `Code, ${it.language}` : "Code"}>
              {it.lines.map((line, at) => <span key={at} class={line.doubt ? "doubted" : ""}>{line.text}{line.doubt && <Doubt text={line.doubt} />}{"\n"}</span>)}
            </pre>
          );
        }
      })}
    </div>
  );
}

function All({ lines, ...more }: Cited & { lines: Line[] }) {
  return <>{lines.map((it, at) => <>{at > 0 && "\n"}<Said key={at} line={it} {...more} /></>)}</>;
}

function Said({ line, ...more }: Cited & { line: Line }) {
  return <span class={line.doubt ? "doubted" : ""}>{line.parts.map((it, at) => <Part key={at} it={it} {...more} />)}{line.doubt && <Doubt text={line.doubt} />}</span>;
}

function Part({ it, sources, open }: Cited & { it: Inline }) {
  switch (it.kind) {
    case "text": return <>{it.text}</>;
    case "code": return <code>{it.text}</code>;
    case "strong": return <b>{it.text}</b>;
    case "cite": return <>{it.numbers.map((n) => <Cite key={n} n={n} sources={sources} open={open} />)}</>;
    case "place": {
      const [first, last] = it.lines;
      const source = sources.find((other) => other.path.endsWith(it.path) && first <= other.cited_lines[1] && other.cited_lines[0] <= last);
      return source ? <Cite n={source.n} sources={sources} open={open}>{it.text}</Cite> : <code>{it.text}</code>;
    }
  }
}

/** What the check says of a line. */
function Doubt({ text }: { text: string }) {
  return <span class="doubt" role="note"><span aria-hidden="true">⚠</span> not verified: {text}</span>;
}

interface ReadingProps extends Cited {
  sections: { title: string; evidence: number[] }[];
  messages: string[];
  missing: string | null;
}

/** The answer that needs no model: what to read, in the order in which one understands it. */
export function Reading({ sections, messages, missing, sources, open }: ReadingProps) {
  return (
    <div class="reading">
      {messages.map((it) => <p key={it} class="message">{it}</p>)}
      {missing && <p class="missing">{missing}</p>}
      {sections.map((section) => (
        <section key={section.title}>
          <h3>{section.title}</h3>
          <ul>
            {section.evidence.map((n, at) => {
              const it = sources[n - 1];
              return it && <li key={n}><Entry it={it} first={at === 0} sources={sources} open={open} /></li>;
            })}
          </ul>
        </section>
      ))}
      {!sections.length && !missing && <p class="empty">Nothing in the repository matches.</p>}
    </div>
  );
}

/** How many key lines are shown of the first entry of a section, and of the others. */
const KEY_LINES: readonly [number, number] = [8, 2];

function Entry({ it, first, sources, open }: Cited & { it: Source; first: boolean }) {
  const isUse = it.start_line === it.end_line && ["caller", "subtype", "test"].includes(it.role);
  const isPart = it.role === "part";
  const shown = it.key_lines.slice(0, KEY_LINES[first ? 0 : 1]);
  const said = it.summary || (isPart ? it.signature : "");
  return (
    <>
      <p class="entry">
        <Cite n={it.n} sources={sources} open={open} />
        {isPart ? <b class="symbol">{it.symbol}</b> : <Path path={it.path} at={at(it).slice(it.path.length + 1)} />}
        {!isPart && it.symbol && <span><span class="quiet">{it.kind === "section" ? "" : it.kind}</span> <b class="symbol">{it.symbol}</b></span>}
      </p>
      {said && <p class="said">{said}</p>}
      {it.message && <p class="message">{it.message}</p>}
      {isUse && <code class="one">{it.text.trim()}</code>}
      {!isUse && !isPart && it.signature && it.kind !== "section" && <code class="one">{it.signature}</code>}
      {shown.map((line) => <code key={line.line} class="one key"><span class="no">{line.line}</span>{line.text}</code>)}
      {it.key_lines.length > shown.length && <p class="quiet">{plural(it.key_lines.length - shown.length, "line")} more that say how it works</p>}
    </>
  );
}
