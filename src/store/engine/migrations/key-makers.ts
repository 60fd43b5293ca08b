/** Which member answers for an API key: it goes with them. */
export const keyMakers: Readonly<Record<string, readonly string[]>> = {
  '0020_key_makers': [
    `alter table api_keys add column maker text collate "C"`,
    `create index api_keys_by_maker on api_keys (maker) where maker is not null`,
  ],
}
