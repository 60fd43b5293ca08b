const groupIdPattern = /^group_([0-9a-f]{32})$/

/** The uuid inside a group's id, as 32 hex digits; undefined for anything else. */
export function parseGroupId(groupId: string): string | undefined {
  return groupIdPattern.exec(groupId)?.[1]
}

/** From a uuid as PostgreSQL prints it. */
export function toGroupId(uuid: string): string {
  return `group_${uuid.replaceAll('-', '')}`
}
