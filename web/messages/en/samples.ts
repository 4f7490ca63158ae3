/** What the sample pictures show. */
export const samples = {
  table: 'Candles and red wine on a long dinner table',
  topper: 'Wooden bride and groom figures among the guests, string lights behind',
  dance: 'A couple’s first dance between two spark fountains',
  balloons: 'Red, white and golden balloons on a pale background',
  rings: 'Two wedding rings beside paper roses',
  family: 'A family of wooden figures in a meadow at sunset',
}
