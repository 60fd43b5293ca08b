/** The uuid inside the id of an approval (`appr_…`) or of a rule (`rule_…`); undefined for anything else, which then finds nothing. */
export function parsePrefixedId(prefix: 'appr' | 'rule', id: string): string | undefined {
  const [start, uuid = ''] = id.split('_')
  return start === prefix && /^[0-9a-f]{32}$/.test(uuid) && id.length === 37 ? uuid : undefined
}

/** From a uuid as PostgreSQL prints it. */
export function toPrefixedId(prefix: 'appr' | 'rule', uuid: string): string {
  return `${prefix}_${uuid.replaceAll('-', '')}`
}
