"""Prints the values for test/engine/image/metrics.test.ts: python3 test/support/metricsReference.py

It needs scikit-image (0.26.0 when the values were recorded), torch (2.13.0) and pytorch-msssim (commit 0180eae).
"""

import numpy as np
import torch
from pytorch_msssim import ms_ssim
from skimage.io import imread
from skimage.metrics import peak_signal_noise_ratio, structural_similarity

distortions = {
    "faded": lambda t: 0.75 * t + 0.25 * t[:, ::-1],
    "stretched": lambda t: 1.5 * t - 0.25,
}
cases = [
    ("chelsea", "faded"),
    ("camera", "stretched"),
]


def tensor(values):
    return torch.from_numpy(np.ascontiguousarray(values.transpose(2, 0, 1)))[None]


for name, distortion in cases:
    target = imread(f"data/images/{name}.png") / 255
    if target.ndim == 2:
        target = np.stack([target] * 3, axis=2)
    distorted = np.clip(distortions[distortion](target).astype(np.float32).astype(np.float64), 0, 1)
    psnr = peak_signal_noise_ratio(target, distorted, data_range=1)
    ssim = structural_similarity(
        target, distorted, data_range=1, channel_axis=2, gaussian_weights=True, sigma=1.5, use_sample_covariance=False
    )
    msssim = ms_ssim(tensor(distorted), tensor(target), data_range=1).item()
    print(f'["{name}", "{distortion}", {psnr:.9f}, {ssim:.12f}, {msssim:.9f}],')
