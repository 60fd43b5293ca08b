/** Visitors of somebody's site: keys below a key, whose short-lived tokens are not stored. */
export const visitorKeys: Readonly<Record<string, readonly string[]>> = {
  '0033_visitor_keys': [
    `alter table api_keys
      add column parent text collate "C",
      add column visitor text`,
    `create unique index api_keys_by_visitor on api_keys (parent, visitor) where parent is not null`,
  ],
}
