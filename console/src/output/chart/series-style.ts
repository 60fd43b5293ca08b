/** Each series has a colour and a dash pattern of its own. */
export const seriesColours = [1, 2, 3, 4, 5, 6].map((number) => `var(--series-${number})`)
export const seriesDashes = ['', '6 4', '2 4', '10 4 2 4', '1 3', '12 3']
