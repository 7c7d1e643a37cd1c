export function showTours() {}
