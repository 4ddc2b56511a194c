// Runs inside a page: the contrast of an element's text with its background, as WCAG 2 defines it.
export function measureContrast(element) {
  const parse = (colour) => {
    const [red, green, blue, alpha = 1] = colour.match(/[\d.]+/g).map(Number);
    return { rgb: [red, green, blue], alpha };
  };
  const layers = [];
  let opacity = 1;
  for (let at = element; at !== null; at = at.parentElement) {
    const style = getComputedStyle(at);
    layers.push(parse(style.backgroundColor));
    opacity *= Number(style.opacity);
  }
  const over = (top, ground) => ground.map((part, i) => top.alpha * top.rgb[i] + (1 - top.alpha) * part);
  const ground = layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  const colour = parse(getComputedStyle(element).color);
  const ink = over({ ...colour, alpha: colour.alpha * opacity }, ground);
  const luminance = (rgb) => {
    const [red, green, blue] = rgb
      .map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark, light] = [luminance(ink), luminance(ground)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}
