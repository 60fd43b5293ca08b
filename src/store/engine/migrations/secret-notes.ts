/** Notes that people keep on a secret: its purpose, and until when its value is valid. */
export const secretNotes: Readonly<Record<string, readonly string[]>> = {
  '0028_secret_notes': [
    `alter table secrets add column description text`,
    `alter table secrets add column expires_ms bigint`,
  ],
}
