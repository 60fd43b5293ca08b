/** What the shipped roles mean, in words. */
export const roleWords: Readonly<Record<string, string>> = {
  owner: 'Everything, and manages owners.',
  admin: 'Everything else: members, keys and tenants too.',
  operator:
    'Calls tools, decides approvals, looks after agents, secrets and schedules, reads the log.',
  member: 'Calls tools and talks to agents.',
  viewer: 'Reads policies and usage.',
  auditor: 'Reads the log, policies and usage.',
}
