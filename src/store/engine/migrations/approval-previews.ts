/** An approval holds the preview that people decide on. */
export const approvalPreviews: Readonly<Record<string, readonly string[]>> = {
  '0046_approval_previews': [`alter table approvals add column preview text`],
}
