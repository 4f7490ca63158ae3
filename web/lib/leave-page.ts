/** Opens an address outside of the app, such as the page of the payment provider. Throws unless it is http or https. */
export function leavePage(address: string): void {
  const { protocol, href } = new URL(address, window.location.href)
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error(`${protocol} is not the scheme of a web page`)
  window.location.assign(href)
}
