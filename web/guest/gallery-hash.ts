/** Ends the address of a gallery in links from photos: who follows one has not scanned the code. */
export const galleryHash = '#photos'
