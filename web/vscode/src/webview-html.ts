/** The document in an editor. */

import { Uri, type Webview } from "vscode";
import { nameOf } from "./paths";

/** The page in the folder `media`, for a recording. */
export function html(webview: Webview, media: Uri, recording: Uri): string {
  const address = (name: string) =>
    escaped(String(webview.asWebviewUri(Uri.joinPath(media, name))));
  const source = webview.cspSource;
  // The worker is part of the script.
  const policy =
    `default-src 'none'; script-src ${source} 'wasm-unsafe-eval'; worker-src blob:; ` +
    `style-src ${source}; img-src ${source} data: blob:; connect-src ${source}; ` +
    "base-uri 'none'; form-action 'none'";
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <link rel="stylesheet" href="${address("style.css")}" />
    <title>rtoscope</title>
  </head>
  <body data-recording="${escaped(nameOf(recording))}">
    <div id="app"></div>
    <script type="module" src="${address("editor.js")}"></script>
  </body>
</html>
`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };

const escaped = (text: string) => text.replace(/[&"<>]/g, (letter) => ENTITIES[letter] ?? letter);
