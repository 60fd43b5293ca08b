/** Markdown of a tool or a model: nobody we trust. No script, no remote image, no HTML. */
export function Markdown({ text }: { text: string; isStreaming?: boolean }) {
  return <p>{text}</p>
}
