/**
 * Groups name the call that settled them, so that exactly one of several completions can report it.
 */
export const groupSettlers: Readonly<Record<string, readonly string[]>> = {
  '0035_group_settlers': [`alter table groups add column settled_by uuid`],
}
