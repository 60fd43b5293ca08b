// Before the first paint: the colour scheme that was chosen here, so that nothing flashes.
;(() => {
  let chosen = 'auto'
  try {
    chosen = localStorage.getItem('toolcrib.scheme') || 'auto'
  } catch {
    // Storage may be closed to us; then the system decides.
  }
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
})()
