/** A sound that came with the output; it is not loaded before somebody wants to hear it. */
export function AudioView({ address, label }: { address: string; label: string }) {
  return (
    <audio controls preload="none" src={address} aria-label={label}>
      <track kind="captions" />
    </audio>
  )
}
