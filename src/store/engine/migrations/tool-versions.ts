/** Every call records the version of the tool that it ran; calls of before have none. */
export const toolVersions: Readonly<Record<string, readonly string[]>> = {
  '0036_tool_versions': [
    `alter table calls add column tool_version text`,
    `alter type new_call add attribute tool_version text`,
    `alter type call_change add attribute tool_version text`,
  ],
}
