/** Where the request page of a photo is, and where its form goes; the contract's `requestPage` and `requestPageForm`. */
export const requestPath = (id: string): string => `/request-photo/${encodeURIComponent(id)}`
