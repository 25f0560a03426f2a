/** A plot of steps, with axes to its left. */

import uPlot from "uplot";

interface PlotOptions {
  width: number;
  height: number;
  /** The number of its colour. */
  colour: number;
}

/** Makes a plot within an element. */
export function makePlot(place: HTMLElement, { width, height, colour }: PlotOptions): uPlot {
  const style = getComputedStyle(document.documentElement);
  const property = (name: string) => style.getPropertyValue(name).trim();
  const stroke = property(`--graph-${(colour % 6) + 1}`);
  const fill = `color-mix(in srgb, ${stroke} 22%, transparent)`;
  const steps = uPlot.paths.stepped?.({ align: 1 });
  const one = { stroke, width: 1, points: { show: false }, ...(steps ? { paths: steps } : {}) };
  return new uPlot(
    {
      width,
      height,
      padding: [4, 0, 1, 0],
      cursor: { show: false },
      legend: { show: false },
      select: { show: false, left: 0, top: 0, width: 0, height: 0 },
      scales: { x: { time: false, auto: false }, y: { auto: false } },
      axes: [
        { show: false },
        {
          show: true,
          side: 1,
          size: 0,
          ticks: { show: false },
          values: () => [],
          gap: 0,
          grid: { stroke: property("--line"), width: 1 },
        },
      ],
      series: [{}, { ...one, fill }, { ...one, width: 0.5 }],
    },
    [[], [], []],
    place,
  );
}
