/** The Toolcrib logo. */
export const markSvg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#5a62f4" stroke-width="2" stroke-linejoin="round" stroke-linecap="round"><path d="M12 3l4 2.3v4.6L12 12.2 8 9.9V5.3z"/><path d="M7.5 12.2l4 2.3v4.4l-4 2.3-4-2.3v-4.4z"/><path d="M16.5 12.2l4 2.3v4.4l-4 2.3-4-2.3v-4.4z"/></svg>`
