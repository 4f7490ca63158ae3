/** Path of a photo's request page and of its form: `requestPage` and `requestPageForm` of the contract. */
export const requestPath = (id: string): string => `/request-photo/${encodeURIComponent(id)}`
