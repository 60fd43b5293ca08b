/** What people note of a secret: what it is for, and until when its value is good. */
export const secretNotes: Readonly<Record<string, readonly string[]>> = {
  '0028_secret_notes': [
    `alter table secrets add column description text`,
    `alter table secrets add column expires_ms bigint`,
  ],
}
