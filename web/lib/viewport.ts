/** Calls back when the page was scrolled or the window has another size. Returns what ends that. */
export const subscribeToViewport = (onViewportChange: () => void): (() => void) => {
  window.addEventListener('scroll', onViewportChange, { passive: true })
  window.addEventListener('resize', onViewportChange)
  return () => {
    window.removeEventListener('scroll', onViewportChange)
    window.removeEventListener('resize', onViewportChange)
  }
}
