/** Part of `refusals`: about photos, logos and backgrounds. */
export const refusedPhotos: Readonly<Record<string, string>> = {}
