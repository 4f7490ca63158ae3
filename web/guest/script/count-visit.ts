/** Whether the page was opened before: it reloads itself while its photo is processed, and exists in other languages. */
function isRepeated(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[] // of this name
  const type = navigation && navigation.type
  return type === 'reload' || type === 'back_forward' || /[?&]lang=/.test(location.search)
}

/**
 * Tells the server that a guest has opened the page, once it is visible: programs that draw previews of links run no scripts, and
 * browsers open pages in advance. Links with `visit` count the visit where this call was not made.
 */
export function countVisit(main: HTMLElement): void {
  const { visit, id } = main.dataset
  const links = Array.from(main.querySelectorAll<HTMLAnchorElement>('a[href*="visit=1"]'))
  const hrefs = links.map((link) => link.getAttribute('href') || '')
  const setLinks = (change: (href: string) => string): void =>
    links.forEach((link, at) => link.setAttribute('href', change(hrefs[at] || '')))
  const restoreLinks = (): void => setLinks((href) => href)
  const count = (): void => {
    if (!visit || document.hidden) return
    document.removeEventListener('visibilitychange', count)
    setLinks((href) => href.replace(/[?&]visit=1$/, ''))
    if (isRepeated()) return
    // Sent even if the guest has saved the photo and gone before the answer.
    fetch(`/photos/${id}/visits?by=${visit}`, { method: 'POST', keepalive: true }).then(
      ({ ok }) => (ok ? undefined : restoreLinks()),
      restoreLinks,
    )
  }
  document.addEventListener('visibilitychange', count)
  count()
}
