/** Path of a photo's request page and of its form: `requestPage` and `requestPageForm` of the contract. */
export const photoRequestPath = (id: string): string => `/request-photo/${encodeURIComponent(id)}`
