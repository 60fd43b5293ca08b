/** Approvals count people: of a decision by an API key, the person the key belonged to then. */
export const approvalPeople: Readonly<Record<string, readonly string[]>> = {
  '0034_approval_people': [
    `alter table approval_decisions add column person text collate "C"`,
    `update approval_decisions d
      set person = 'user:' || coalesce(substring(k.maker from position('/' in k.maker) + 1), 'owner')
      from api_keys k where d.principal = 'key:' || k.id`,
  ],
}
