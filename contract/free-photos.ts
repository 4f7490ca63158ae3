/** Photos per calendar month (UTC) of the free plan. A module of its own, so that the registration page loads no other plans. */
export const freePhotos = 10
