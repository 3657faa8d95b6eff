// Fetches pages, and puts their parts into this one.

export const pageAddress = () => location.pathname + location.search

/** @param {string} html */
export const partsOf = html => new DOMParser().parseFromString(html, 'text/html')

/** @param {string} address @param {RequestInit} [options] */
export const pageAt = async (address, options) => partsOf(await (await fetch(address, options)).text())

/** @param {Element | null} former @param {Element} part */
export function put(former, part) {
  former?.replaceWith(part)
  window.htmx?.process(part)
}
