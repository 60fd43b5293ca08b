/** Which tools were ever here. */
export const catalogue: Readonly<Record<string, readonly string[]>> = {
  '0017_catalogue': [
    `create table catalogue (
      name text collate "C" primary key,
      title text not null,
      first_seen_ms bigint not null,
      gone_ms bigint
    )`,
  ],
}
