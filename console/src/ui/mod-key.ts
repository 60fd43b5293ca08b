/** The modifier key of keyboard shortcuts, as this machine's keyboard labels it. */
export const modKey = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘' : 'Ctrl'
