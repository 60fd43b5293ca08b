/** Descriptions of the built-in roles. */
export const roleWords: Readonly<Record<string, string>> = {
  owner: 'All permissions, including managing owners.',
  admin: 'All permissions except managing owners.',
  operator:
    'Calls tools, decides approvals, manages agents, secrets and schedules, reads the audit log.',
  member: 'Calls tools and chats with agents.',
  viewer: 'Reads policies and usage.',
  auditor: 'Reads the audit log, policies and usage.',
}
