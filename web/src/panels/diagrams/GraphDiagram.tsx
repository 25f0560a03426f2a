/** A diagram that Graphviz draws, or why there is none. */

import type { ComponentProps } from "preact";
import type { Diagram } from "../../session/wire";
import { stemOf } from "../../shell/files";
import type { TraceState } from "../../state/trace";
import type { QueryState } from "../useAnswer";
import { DiagramView } from "./DiagramView";
import { SaveAs } from "./SaveAs";
import type { RenderedGraph } from "./useRenderedGraph";

type ViewProps = Omit<ComponentProps<typeof DiagramView>, "picture" | "fit">;

interface GraphDiagramProps extends ViewProps {
  trace: TraceState;
  /** Name of its files after that of the trace. */
  file: string;
  asked: QueryState<Diagram>;
  drawn: RenderedGraph | null;
  /** Makes the text of a file. */
  make: (format: "dot" | "mermaid") => Promise<string>;
  /** What is said about too large and empty diagrams. */
  tooMany: string;
  nothing: string;
}

export function GraphDiagram(props: GraphDiagramProps) {
  const { trace, file, asked, drawn, make, tooMany, nothing, children, ...view } = props;
  const { answer, error } = asked;
  const problem = error ?? drawn?.error ?? null;
  const isShown = answer !== null && answer.shown > 0;
  const formats = [
    {
      title: "SVG image",
      extension: "svg",
      type: "image/svg+xml",
      make: () => drawn?.text ?? "",
    },
    {
      title: "DOT (Graphviz)",
      extension: "dot",
      type: "text/vnd.graphviz",
      make: () => make("dot"),
    },
    { title: "Mermaid", extension: "mmd", type: "text/plain", make: () => make("mermaid") },
  ];
  return (
    <>
      {problem !== null && <p class="problem">{problem}</p>}
      {answer !== null && answer.skipped > 0 && (
        <p class="nothing">{tooMany}: too many for a diagram.</p>
      )}
      {answer !== null && answer.skipped === 0 && !isShown && <p class="nothing">{nothing}</p>}
      {isShown && drawn === null && <p class="nothing">Rendering…</p>}
      {isShown && drawn?.picture && (
        <DiagramView {...view} picture={drawn.picture} fit>
          <SaveAs name={`${stemOf(trace.overview.name)}-${file}`} formats={formats} />
          {children}
        </DiagramView>
      )}
    </>
  );
}
