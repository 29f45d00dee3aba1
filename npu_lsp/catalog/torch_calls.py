"""Functions of `torch.npu`, operators and modules of `torch_npu` by name, and what a mistyped one was meant to be.

Read from `torch_npu/__init__.py` and `torch_npu/npu` of ten releases of Ascend/pytorch, 1.8.1 to 2.10.0; the operators from
`npu_native_functions.yaml` of all its branches, and from `op_plugin_functions.yaml` of all branches of Ascend/op-plugin, 5.0 to 26.1.
"""

from __future__ import annotations

from functools import lru_cache

from npu_lsp.catalog.near import NearNames, nearest

_LISTED = (
    "contrib profiler dynamo distributed optim multiprocessing testing "
    "set_option set_compile_mode set_device set_dump init_dump finalize_dump set_aoe set_mm_bmm_format_nd "
    "set_deterministic_level set_sync_debug_mode set_per_process_memory_fraction set_stream_limit set_device_limit set_op_timeout_ms "
    "set_npu_tensor_unsafe_check_flag is_available device_count current_device current_stream empty_cache manual_seed "
    "manual_seed_all synchronize get_device_name get_device_properties get_soc_version memory_allocated max_memory_allocated "
    "memory_reserved max_memory_reserved memory_summary reset_peak_memory_stats is_bf16_supported"
)
_CLOSE = (
    "get_device get_device_limit get_mm_bmm_format_nd get_npu_tensor_unsafe_check_flag get_per_process_memory_fraction get_stream_limit "
    "get_sync_debug_mode profile proflier reset_stream_limit"
)
"""What is there as well, and close to one of them."""
_OPERATORS = (
    "add_layer_norm add_layer_norm_backward add_quant_gmm add_quant_gmm_ add_quant_matmul add_quant_matmul_ add_rms_norm add_rms_norm_cast "
    "add_rms_norm_dynamic_mx_quant add_rms_norm_dynamic_quant add_rms_norm_quant add_rms_norm_v2 add_rms_norm_v2_functional "
    "advance_step_flashattn all_gather_base_mm all_gather_quant_mm all_to_all_matmul all_to_all_quant_matmul alloc_float_status "
    "alltoallv_gmm alltoallv_quant_gmm anchor_response_flags anti_mx_quant anti_quant apply_adam apply_adam_w apply_rotary_pos_emb "
    "attention_to_ffn attention_update attention_worker_combine attn_softmax_ attn_softmax_backward_ batch_gather_matmul "
    "batch_gather_matmul_ batch_nms bert_apply_adam binary_cross_entropy_with_logits_backward block_sparse_attention "
    "block_sparse_attention_backward bmmV2 bmm_v2_mat1_backward bmm_v2_mat2_backward bounding_box_decode bounding_box_encode broadcast "
    "change_data_ptr chunk_gated_delta_rule ciou ciou_backward clear_float_status clipped_swiglu confusion_transpose "
    "confusion_transpose_backward conv2d conv2d_backward conv3d conv3d_backward conv_transpose2d conv_transpose2d_backward "
    "conv_transpose3d_backward convert_weight_to_int4pack convolution convolution_backward convolution_transpose "
    "convolution_transpose_backward cross_entropy_loss cross_entropy_loss_backward deep_norm deep_norm_backward deformable_conv2d "
    "deformable_conv2dbk dense_lightning_indexer_grad_kl_loss dense_lightning_indexer_softmax_lse dequant_bias dequant_rope_quant_kvcache "
    "dequant_swiglu_quant diou diou_backward dropout_backward dropout_do_mask dropout_gen_byte_mask dropout_gen_mask "
    "dropout_with_add_softmax dropout_with_add_softmax_backward dtype_cast dtype_cast_ dtype_cast_backward dual_level_quant_matmul "
    "dynamic_block_mx_quant dynamic_block_quant dynamic_dual_level_mx_quant dynamic_mx_quant dynamic_mx_quant_with_dual_axis dynamic_quant "
    "dynamic_quant_asymmetric enque_tensor fast_gelu fast_gelu_backward ffn ffn_to_attention ffn_worker_batching flash_attention "
    "flash_attention_grad flash_attention_score flash_attention_score_grad format_cast format_cast_ fused_attention_layernorm_qkv_fwd "
    "fused_attention_qkv_grad fused_attention_score fused_attention_score_backward fused_attention_score_fwd fused_attention_score_grad "
    "fused_causal_conv1d fused_causal_conv1d_functional fused_causal_conv1d_v2 fused_cross_entropy_loss_with_max_sum fused_floyd_attention "
    "fused_floyd_attention_backward fused_infer_attention_score fused_infer_attention_score_v2 "
    "fused_linear_cross_entropy_loss_with_max_sum_backward fused_linear_cross_entropy_loss_with_max_sum_grad fused_linear_online_max_sum "
    "fused_matmul fusion_attention fusion_attention_grad fusion_attention_grad_v2 fusion_attention_grad_v3 fusion_attention_v2 "
    "fusion_attention_v3 gather_backward gather_pa_kv_cache gather_pa_kv_cache_functional gather_sparse_index gather_sparse_index_backward "
    "geglu geglu_grad gelu gelu_backward gelu_mul gelu_quant gemma_rms_norm get_float_status giou giou_backward gmm_alltoallv "
    "grid_assign_positive group_norm_silu group_norm_swish group_norm_swish_grad group_quant grouped_dynamic_block_quant "
    "grouped_dynamic_mx_quant grouped_matmul grouped_matmul_add grouped_matmul_add_ grouped_matmul_finalize_routing "
    "grouped_matmul_swiglu_quant grouped_matmul_swiglu_quant_v2 gru gru_backward hans_decode hans_encode hcom_allgather hcom_allreduce "
    "ifmr incre_flash_attention indexing indexing_trans_contiguous interleave_rope iou kronecker_quant kv_quant_sparse_flash_attention "
    "kv_rmsnorm_rope_cache kv_rmsnorm_rope_cache_v2 kv_rmsnorm_rope_cache_v2_functional layer_norm_eval layernorm_grad lightning_indexer "
    "lightning_indexer_grad linear linear_backward lstm lstm_backward lstm_cell lstm_cell_backward lstm_data lstm_data_backward "
    "masked_causal_conv1d masked_causal_conv1d_backward masked_fill_range masked_softmax_with_rel_pos_bias matmul_all_to_all "
    "matmul_compress_dequant max max_backward mhc_post mhc_post_backward mhc_pre mhc_pre_backward mhc_sinkhorn mhc_sinkhorn_backward min "
    "min_backward mish mish_backward mla_prolog mla_prolog_v2 mla_prolog_v3 mla_prolog_v3_functional mm_all_reduce_base "
    "mm_reduce_scatter_base moe_compute_expert_tokens moe_distribute_combine moe_distribute_combine_add_rms_norm "
    "moe_distribute_combine_setup moe_distribute_combine_teardown moe_distribute_combine_v2 moe_distribute_dispatch "
    "moe_distribute_dispatch_setup moe_distribute_dispatch_teardown moe_distribute_dispatch_v2 moe_eplb_update_expert moe_finalize_routing "
    "moe_gating_top_k moe_gating_top_k_backward moe_gating_top_k_softmax moe_gating_top_k_softmax_v2 moe_init_routing "
    "moe_init_routing_quant moe_init_routing_v2 moe_re_routing moe_token_permute moe_token_permute_grad moe_token_permute_grad_v2 "
    "moe_token_permute_with_routing_map moe_token_permute_with_routing_map_grad moe_token_unpermute moe_token_unpermute_grad "
    "moe_token_unpermute_grad_v2 moe_token_unpermute_with_routing_map moe_token_unpermute_with_routing_map_grad moe_update_expert mrope "
    "multi_head_attention multi_head_attention_backward multi_head_attention_grad multi_head_attention_score multi_head_attention_v2 "
    "multi_head_attention_v2_grad nms_rotated nms_v4 nms_with_mask normalize_batch nsa_compress nsa_compress_attention "
    "nsa_compress_attention_infer nsa_compress_grad nsa_compress_infer nsa_select_attention nsa_select_attention_grad "
    "nsa_select_attention_infer one_hot pad prefetch prompt_flash_attention ps_roi_pooling ps_roi_pooling_backward ptiou "
    "qkv_rms_norm_rope_cache qkv_rms_norm_rope_cache_functional quant_all_reduce quant_conv2d quant_fusion_attention "
    "quant_fusion_attention_backward quant_gmm_alltoallv quant_grouped_matmul_dequant quant_lightning_indexer quant_matmul "
    "quant_matmul_all_to_all quant_matmul_dequant quant_matmul_gelu quant_matmul_reduce_sum quant_max quant_mm_reduce_scatter "
    "quant_reduce_scatter quant_scatter quant_scatter_ quantize random_choice_with_mask recurrent_gated_delta_rule "
    "recurrent_gated_delta_rule_functional renorm_backward reshape ring_attention_update rms_norm rms_norm_backward "
    "rms_norm_dynamic_mx_quant rms_norm_quant rms_norm_quant_v2 roi_align roi_alignbk rope_quant_kvcache rotary_mul rotary_mul_backward "
    "rotate_quant rotated_box_decode rotated_box_encode rotated_iou rotated_overlaps scaled_masked_softmax scaled_masked_softmax_backward "
    "scatter scatter_list scatter_list_ scatter_nd_update scatter_nd_update_ scatter_pa_cache scatter_pa_kv_cache "
    "scatter_pa_kv_cache_functional sign_bits_pack sign_bits_unpack silu silu_ silu_backward sim_exponential_ slice "
    "softmax_cross_entropy_with_logits softmax_cross_entropy_with_logits_backward sort_v2 sparse_flash_attention "
    "sparse_flash_attention_grad sparse_lightning_indexer_grad_kl_loss stride_add stride_copy sub_sample swiglu swiglu_backward "
    "swiglu_group_quant swiglu_group_quant_backward swiglu_mx_quant swiglu_mx_quant_with_dual_axis swiglu_quant top_k_top_p "
    "top_k_top_p_sample trans_quant_param transpose transpose_batchmatmul transpose_quant_batchmatmul transpose_to_contiguous "
    "transpose_trans_contiguous view_copy weight_quant_batchmatmul weight_quant_preprocess yolo_boxes_encode "
)
"""What stands behind `npu_` in the names of operators."""
_WORD = 5
"""Letters of a word that is no other word with a letter changed."""
_KNOWN, _BESIDE = (frozenset(each.split()) for each in (_LISTED, _CLOSE))


@lru_cache(maxsize=1024)
def meant_call(name: str) -> str | None:
    """Return the function or module that a mistyped name was meant to be; `None` for one that is right, or that nobody knows."""
    if name in _KNOWN or name in _BESIDE:
        return None
    if name.startswith("npu_"):
        return _meant_operator(name)
    near = nearest(name, _KNOWN, careful=True)
    # One that reads is no slip of one that sets.
    return None if near is None or {name[:4], near[:4]} == {"get_", "set_"} else near


def _meant_operator(name: str) -> str | None:
    """Return the operator whose name differs in one long word: a new one may differ from those that are known in a short one."""
    known = _operators()
    near = None if name in known[0] else known[1].nearest(name, careful=True)
    if near is None or near.count("_") != name.count("_"):
        return None
    differing = [pair for pair in zip(name.split("_"), near.split("_"), strict=True) if pair[0] != pair[1]]
    return near if len(differing) == 1 and min(map(len, differing[0])) >= _WORD else None


@lru_cache(maxsize=1)
def _operators() -> tuple[frozenset[str], NearNames]:
    names = frozenset(f"npu_{each}" for each in _OPERATORS.split())
    return names, NearNames(names)
