/** How long the calls of a tool ran, beside how many there were. */
export const toolPace: Readonly<Record<string, readonly string[]>> = {
  '0026_tool_pace': [
    `alter table usage_days drop constraint usage_days_kind_check`,
    `alter table usage_days add constraint usage_days_kind_check
      check (kind in ('tenant', 'tool', 'agent', 'principal', 'pace'))`,
  ],
}
