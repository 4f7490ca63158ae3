/** The product's name, as shown to people. */
export const productName = 'Keepsnap'
